#!/usr/bin/env node
// npm only links a command whose file exists when the package is installed. In a fresh clone, that
// is before the first build creates `dist`, so this file is outside of it.
import '../dist/move/main.js'
