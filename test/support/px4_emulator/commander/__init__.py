"""Commander: modes, arming, failsafes."""
