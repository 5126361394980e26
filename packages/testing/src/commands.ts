export { drill } from './drill/drillCommand.ts'
export { images } from './drill/imagesCommand.ts'
