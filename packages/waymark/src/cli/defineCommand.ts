import type { PackageCommand } from './arguments.ts'
import type { OptionTable } from './commandOptions.ts'

/**
 * Types a command of a package: `run` gets its options with the types that the table gives them. An
 * option without `value` is a flag; one with `value` and without `parse` is a text.
 */
export function defineCommand<const Table extends OptionTable>(
  command: PackageCommand<Table>,
): PackageCommand<Table> {
  return command
}
