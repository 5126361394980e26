#!/usr/bin/env node
// This file is outside `dist`, because npm links a command only if its file exists when the package
// is installed. In a fresh clone, packages are installed before the first build creates `dist`.
import '../dist/main.js'
