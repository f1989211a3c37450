"""The state machine of a bridge: engage, arm, hold, hand over and release."""
