import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { memoryFlags } from '../node/memoryFlags.ts'
import { type PackageHint, packageHints } from '../node/packageHints.ts'
import type { ListedPackage } from '../vite/config/definePackage.ts'
import {
  type Command,
  type LoadedCommand,
  type PackageCommand,
  runCommandLine,
} from './arguments.ts'
import { readBuildMemory, runWithin } from './buildMemory.ts'
import type { OptionTable, PackageOptions } from './commandOptions.ts'
import {
  type CommandList,
  type CoreCommandName,
  describeCoreCommand,
  isCoreCommand,
} from './commands.ts'
import { findConfigFile } from './configFile.ts'

// Commands are loaded on demand: `start`, for example, must not load Vite.
const commands: Readonly<Record<CoreCommandName, () => Promise<Command>>> = {
  dev: async () => (await import('./devCommand.ts')).dev,
  build: async () => buildWithin,
  start: async () => (await import('./startCommand.ts')).start,
  errors: async () => (await import('./errorsCommand.ts')).errors,
  routes: async () => (await import('./routesCommand.ts')).routes,
  types: async () => (await import('./routesCommand.ts')).types,
}

/** Runs `build`, in a process of its own if it has little memory, before Vite takes any. */
const buildWithin: Command = async (input) => {
  const isLimited = memoryFlags().length > 0
  const memory = isLimited ? null : readBuildMemory(process.env.NODE_OPTIONS ?? '')
  if (memory) return runWithin(memory, input.terminal)
  return (await import('./buildCommand.ts')).build(input)
}

/**
 * Runs the `waymark` program.
 *
 * @param argv arguments without the program's name
 * @returns the exit code
 */
export function run(argv: readonly string[]): Promise<number> {
  return runCommandLine(argv, { find: findCommand, list: listPackageCommands })
}

async function findCommand(name: string, args: readonly string[]): Promise<LoadedCommand | null> {
  if (!isCoreCommand(name)) return findPackageCommand(name, args)
  const run: Command = async (input) => (await commands[name]())(input)
  return { ...describeCoreCommand(name), run }
}

/**
 * Finds a command in the packages that an app lists. Looks in the working directory first, then in
 * the folders that the command line lists before the options. A deployed build has no
 * configuration, so users must run a command for its journal in the project.
 */
async function findPackageCommand(
  name: string,
  args: readonly string[],
): Promise<LoadedCommand | null> {
  for (const folder of ['.', ...foldersIn(name, args)]) {
    const listed = await listedIn(resolve(folder))
    for (const { commands, options = {} } of listed) {
      const module = commands?.[name]?.module
      if (module) return withPackageOptions((await import(module.href))[name], options)
    }
  }
  return null
}

function withPackageOptions(command: PackageCommand, options: object): LoadedCommand {
  const packageOptions = JSON.parse(JSON.stringify(options))
  const run: Command<PackageOptions<OptionTable>> = (input) =>
    command.run({ ...input, packageOptions })
  return { ...command, run }
}

function foldersIn(name: string, args: readonly string[]): string[] {
  const isFolder = (each: string) => statSync(each, { throwIfNoEntry: false })?.isDirectory()
  const firstOption = [...args, '-'].findIndex((each) => each.startsWith('-'))
  const hints: Readonly<Record<string, PackageHint>> = packageHints.commands
  const folderAt = Object.hasOwn(hints, name) ? (hints[name]?.folderAt ?? 0) : 0
  return args.slice(folderAt, firstOption).filter(isFolder)
}

async function listPackageCommands(): Promise<CommandList> {
  const listed = await listedIn(process.cwd())
  return listed.flatMap(({ commands = {} }) =>
    Object.entries(commands).map(([name, { summary }]) => [name, summary] as const),
  )
}

/** Reads the packages that the configuration in a folder lists. Empty without a configuration. */
async function listedIn(root: string): Promise<readonly ListedPackage[]> {
  if (findConfigFile(root) === undefined) return []
  const { readListedPackages } = await import('./project.ts')
  return readListedPackages(root)
}
