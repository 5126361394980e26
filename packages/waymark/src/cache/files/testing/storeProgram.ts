import { runStoreProgram } from '../../testing/storeProgram.ts'
import { createFilesDriver } from '../fileCacheDriver.ts'

// This file runs as a separate process. The address is a cache folder.
await runStoreProgram((folder, log) => createFilesDriver({ folder, log }))
