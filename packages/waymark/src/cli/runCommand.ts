import { resolve } from 'node:path'
import { arrivalsPackage, createPackageLoader } from '../node/appPackages.ts'
import { type Command, runCommandLine } from './arguments.ts'
import type { CommandName } from './commands.ts'

// Loaded on demand: `start` must not load Vite.
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  dev: async () => (await import('./devCommand.ts')).dev,
  build: async () => (await import('./buildCommand.ts')).build,
  start: async () => (await import('./startCommand.ts')).start,
  errors: async () => (await import('./errorsCommand.ts')).errors,
  arrivals: async () => packageCommand('arrivals', arrivalsPackage),
  assets: async () => (await import('./assetsCommand.ts')).assets,
  doctor: async () => packageCommand('doctor', '@waymark/testing'),
  drill: async () => packageCommand('drill', '@waymark/testing'),
  images: async () => packageCommand('images', '@waymark/testing'),
  routes: async () => (await import('./routesCommand.ts')).routes,
  types: async () => (await import('./routesCommand.ts')).types,
  info: async () => (await import('./infoCommand.ts')).info,
}

/**
 * @param argv without the program's name
 * @returns the exit code
 */
export function run(argv: readonly string[]): Promise<number> {
  return runCommandLine(argv, (name) => commands[name]())
}

/** A command of a package that is loaded from the app. */
function packageCommand<Name extends CommandName>(name: Name, packageName: string): Command {
  return async (input) => {
    const load = createPackageLoader(resolve(input.options.folder ?? '.'))
    const commands = await load(`${packageName}/internal/commands`, `waymark ${name}`)
    return (commands as Record<Name, Command>)[name](input)
  }
}
