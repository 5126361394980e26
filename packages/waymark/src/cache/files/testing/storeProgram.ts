import { runStoreProgram } from '../../testing/storeProgram.ts'
import { createFilesDriver } from '../fileCacheDriver.ts'

// Run the program in a separate process, whose address is the folder of a cache.
await runStoreProgram((folder, log) => createFilesDriver({ folder, log }))
