import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createPackageLoader } from '../node/appPackages.ts'
import { type Command, type LoadedCommand, runCommandLine } from './arguments.ts'
import {
  type CommandName,
  describeOwnCommand,
  isOwnCommand,
  type OwnCommandName,
  type PackageCommandName,
  packageCommands,
} from './commands.ts'

// Loaded on demand: `start` must not load Vite.
const commands: Readonly<Record<OwnCommandName, () => Promise<Command>>> = {
  dev: async () => (await import('./devCommand.ts')).dev,
  build: async () => (await import('./buildCommand.ts')).build,
  start: async () => (await import('./startCommand.ts')).start,
  errors: async () => (await import('./errorsCommand.ts')).errors,
  assets: async () => (await import('./assetsCommand.ts')).assets,
  routes: async () => (await import('./routesCommand.ts')).routes,
  types: async () => (await import('./routesCommand.ts')).types,
  info: async () => (await import('./infoCommand.ts')).info,
}

/**
 * @param argv without the program's name
 * @returns the exit code
 */
export function run(argv: readonly string[]): Promise<number> {
  return runCommandLine(argv, loadCommand)
}

async function loadCommand(name: CommandName, args: readonly string[]): Promise<LoadedCommand> {
  if (!isOwnCommand(name)) return loadFromPackage(name, args)
  const run: Command = async (input) => (await commands[name]())(input)
  return { ...describeOwnCommand(name), run }
}

/** Loads a command from the app, whose folder may be one of the arguments before the options. */
async function loadFromPackage(
  name: PackageCommandName,
  args: readonly string[],
): Promise<LoadedCommand> {
  const isFolder = (each: string) => statSync(each, { throwIfNoEntry: false })?.isDirectory()
  const firstOption = [...args, '-'].findIndex((each) => each.startsWith('-'))
  const load = createPackageLoader(resolve(args.slice(0, firstOption).find(isFolder) ?? '.'))
  const file = `${packageCommands[name].package}/internal/commands`
  const loaded = await load(file, `waymark ${name}`)
  return (loaded as Readonly<Record<PackageCommandName, LoadedCommand>>)[name]
}
