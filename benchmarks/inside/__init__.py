"""Programs that a benchmark sends into a sandbox as text: standard library only, and nothing of ours."""
