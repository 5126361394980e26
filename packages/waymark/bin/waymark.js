#!/usr/bin/env node
// This file isn't in `dist` because npm links a command only if its file exists at install time, and
// in a fresh clone that is before the first build.
import '../dist/cli/main.js'
