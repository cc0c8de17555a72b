"""Services: what a client can ask for, without Flask and without SQL."""
