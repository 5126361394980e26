type Action = ((...args: readonly unknown[]) => unknown) & {
  bind(self: unknown, ...args: readonly unknown[]): Action
  /** Encodes the action for a form. */
  $$FORM_ACTION(prefix: string): unknown
  $$IS_SIGNATURE_EQUAL(id: string, boundArgs: number): boolean
}

/**
 * Gives an action whose bound arguments are counted at once. React counts them a microtask later, and
 * tries the component again; one that binds while it renders binds anew each time, without end.
 * @param first the action without bound arguments
 */
export function withCountedArgs(action: Action, bound = 0, first = action): Action {
  const counted = (...args: readonly unknown[]) => action(...args)
  return Object.defineProperties(counted as Action, {
    $$FORM_ACTION: { value: (prefix: string) => action.$$FORM_ACTION(prefix) },
    $$IS_SIGNATURE_EQUAL: {
      value: (id: string, args: number) => args === bound && first.$$IS_SIGNATURE_EQUAL(id, 0),
    },
    bind: {
      value: (self: unknown, ...args: readonly unknown[]) =>
        withCountedArgs(action.bind(self, ...args), bound + args.length, first),
    },
  })
}
