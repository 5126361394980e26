import { type Command, runCommandLine } from './arguments.ts'
import type { CommandName } from './commands.ts'

// Loaded on demand: `start` must not load Vite.
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  dev: async () => (await import('./devCommand.ts')).dev,
  build: async () => (await import('./buildCommand.ts')).build,
  start: async () => (await import('./startCommand.ts')).start,
  errors: async () => (await import('./errorsCommand.ts')).errors,
  assets: async () => (await import('./assetsCommand.ts')).assets,
  doctor: async () => (await import('./doctorCommand.ts')).doctor,
  drill: async () => (await import('./drillCommand.ts')).drill,
  images: async () => (await import('./imagesCommand.ts')).images,
  routes: async () => (await import('./routesCommand.ts')).routes,
  types: async () => (await import('./typesCommand.ts')).types,
  info: async () => (await import('./infoCommand.ts')).info,
}

/**
 * @param argv without the program's name
 * @returns the exit code
 */
export function run(argv: readonly string[]): Promise<number> {
  return runCommandLine(argv, (name) => commands[name]())
}
