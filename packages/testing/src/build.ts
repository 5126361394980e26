export { buildWhenNeeded, isBuilt } from './drill/buildWhenNeeded.ts'
export { type ServedBuild, type ServeOptions, serveBuild } from './drill/builtApp.ts'
export { type ActionArgument, encodeArguments } from './testApp/encodeArguments.ts'
export { createTestApp } from './testApp/testApp.ts'
