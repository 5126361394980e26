import { runStoreProgram } from '../../testing/storeProgram.ts'
import { createFilesDriver } from '../fileCacheDriver.ts'

// A process of its own. Its address is a folder.
await runStoreProgram((folder, log) => createFilesDriver({ folder, log }))
