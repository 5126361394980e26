export { drill } from './drill/drillCommand.ts'
export { info } from './infoCommand.ts'
