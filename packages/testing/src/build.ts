export { isBuilt } from './drill/buildWhenNeeded.ts'
export { type ServedBuild, type ServeOptions, serveBuild } from './drill/builtApp.ts'
