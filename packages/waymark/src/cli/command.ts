import type { GivenOptions } from './arguments.ts'
import type { Terminal } from './terminal.ts'

/** What a command is run with. */
export type CommandInput = { readonly options: GivenOptions; readonly terminal: Terminal }

/** @returns the exit code, once the command is done; one that serves stays */
export type Command = (input: CommandInput) => Promise<number>
