"""What is made of runs: tables, statistics, plots and the dashboard."""
