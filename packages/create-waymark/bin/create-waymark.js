#!/usr/bin/env node
// This file is outside `dist`, because npm links a command only if its file exists when the package is
// installed. In a fresh clone, that is before the first build.
import '../dist/main.js'
