import { resolve } from 'node:path'
import { createPackageLoader } from '../node/appPackages.ts'
import { type Command, runCommandLine } from './arguments.ts'
import type { CommandName } from './commands.ts'

// Loaded on demand: `start` must not load Vite.
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  dev: async () => (await import('./devCommand.ts')).dev,
  build: async () => (await import('./buildCommand.ts')).build,
  start: async () => (await import('./startCommand.ts')).start,
  errors: async () => (await import('./errorsCommand.ts')).errors,
  assets: async () => (await import('./assetsCommand.ts')).assets,
  doctor: async () => testingCommand('doctor'),
  drill: async () => testingCommand('drill'),
  images: async () => testingCommand('images'),
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

/** A command of `@waymark/testing`, which is loaded from the app. */
function testingCommand(name: 'doctor' | 'drill' | 'images'): Command {
  return async (input) => {
    const load = createPackageLoader(resolve(input.options.folder ?? '.'))
    const commands = await load('@waymark/testing/internal/commands', `waymark ${name}`)
    return (commands as Record<typeof name, Command>)[name](input)
  }
}
