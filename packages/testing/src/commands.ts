export { doctor } from './doctor/doctorCommand.ts'
export { drill } from './drill/drillCommand.ts'
export { images } from './drill/imagesCommand.ts'
export { replay } from './replay/replayCommand.ts'
