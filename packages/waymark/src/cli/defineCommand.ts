import type { PackageCommand } from './arguments.ts'
import type { OptionTable } from './commandOptions.ts'

/**
 * Defines a package's command. The types of `run`'s options follow from the table: an option
 * without `value` is a flag, and an option with `value` but without `parse` is a string.
 */
export function defineCommand<const Table extends OptionTable>(
  command: PackageCommand<Table>,
): PackageCommand<Table> {
  return command
}
