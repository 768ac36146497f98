"""What starts and stops: web, worker, command line, settings, wiring."""
