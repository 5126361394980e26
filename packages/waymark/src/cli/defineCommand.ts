import type { PackageCommand } from './arguments.ts'
import type { OptionTable } from './commandOptions.ts'

/**
 * Defines a command of a package. `run` gets options with the types from the table: an option without
 * `value` is a flag, and an option with `value` but without `parse` is a string.
 */
export function defineCommand<const Table extends OptionTable>(
  command: PackageCommand<Table>,
): PackageCommand<Table> {
  return command
}
