#!/usr/bin/env node
// A file of its own beside `dist`: npm links a command at install time, and only when its file
// is there, which in a fresh clone comes before the first build.
import '../dist/move/main.js'
