export type { CommandInput, PackageCommand } from './cli/arguments.ts'
export { defineCommand } from './cli/defineCommand.ts'
export type { ClientHooks, PackageRouter } from './client/packageHooks.ts'
export type { CreateServerPart, ServerApp, ServerPart } from './rsc/packageParts.ts'
export type { AroundRequest, ObservingAround } from './rsc/serverOptions.ts'
export type { Endpoint, SentDocument } from './shared/endpoint.ts'
export type { HandlerResponse, ServerRequest } from './shared/response.ts'
export type { TracedEvent } from './shared/trace.ts'
export {
  definePackage,
  type ModuleExport,
  type PackageDescription,
  type PackagePlugin,
} from './vite/config/definePackage.ts'
