/**
 * A problem that the app's developer can solve, such as a mistake in `contract.config.ts`. The command
 * prints its message without a stack.
 */
export class ContractProblem extends Error {
  override readonly name = 'ContractProblem'
}
