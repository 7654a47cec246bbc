"""The repair loop: a LangGraph graph over one frozen state, one node a file, edges that are pure."""
