"""Questions asked of the state: verdict, coverage, waiting, urgency, what to observe."""
