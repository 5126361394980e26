import { runStoreProgram } from '../../testing/storeProgram.ts'
import { createFilesDriver } from '../fileCacheDriver.ts'

// Runs as a separate process. Its address is a folder.
await runStoreProgram((folder, log) => createFilesDriver({ folder, log }))
