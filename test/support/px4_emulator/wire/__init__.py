"""Wire: releases, clock, link, answers, messages."""
