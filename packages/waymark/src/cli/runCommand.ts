import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createPackageLoader, findPackage } from '../node/appPackages.ts'
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
  routes: async () => (await import('./routesCommand.ts')).routes,
  types: async () => (await import('./routesCommand.ts')).types,
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
  const command = packageCommands[name]
  // Nothing is loaded from the target of a push.
  const folderAt = 'folderAt' in command ? command.folderAt : 0
  const given = args.slice(folderAt, firstOption).find(isFolder) ?? '.'
  const file = `${command.package}/internal/commands`
  // A deployed build has no packages: those of the project are used, where the command is called.
  const from = [resolve(given), process.cwd()].find((folder) => findPackage(file, folder))
  const loaded = await createPackageLoader(from ?? given)(file, `waymark ${name}`)
  return (loaded as Readonly<Record<PackageCommandName, LoadedCommand>>)[name]
}
