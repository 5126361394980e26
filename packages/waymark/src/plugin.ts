export type { ClientHooks, PackageRouter } from './client/packageHooks.ts'
export type { CreateServerPart, ServerApp, ServerPart } from './rsc/packageParts.ts'
export {
  definePackage,
  type ModuleExport,
  type PackageDescription,
  type PackagePlugin,
} from './vite/config/definePackage.ts'
