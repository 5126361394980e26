import type { Rolldown } from 'vite'

/** Both of an installed package and of the workspace. */
const own = '/waymark/(?:dist|src)'

/**
 * How the framework's own client code is cut: one file for what every page runs, one for what
 * React and an interactive page need beside it. What is always loaded together is compressed
 * together; all else is cut by who imports it.
 */
export const clientChunks: NonNullable<Rolldown.OutputOptions['codeSplitting']> = {
  // With each module comes what it imports; what two groups need is in that of the higher priority.
  groups: [
    { name: 'entry', test: new RegExp(`${own}/client/entry\\.\\w+$`), priority: 4 },
    // Pages without React load these two as well.
    { name: 'wire', test: new RegExp(`${own}/shared/(?:protocol|endMark)\\.\\w+$`), priority: 3 },
    // Links in client components need it, too, and not the router.
    { name: 'target', test: new RegExp(`${own}/shared/linkTarget\\.\\w+$`), priority: 3 },
    { name: 'keepScroll', test: new RegExp(`${own}/client/keepScroll\\.\\w+$`), priority: 3 },
    {
      name: 'start',
      // The client components of the framework stand in most payloads, and are small.
      test: new RegExp(
        `${own}/(?:client/(?:start|lateRedirect)|screens/BackButton)\\.\\w+$|` +
          `client-references/group/facade:.*${own}/rsc/entry\\.\\w+$`,
      ),
      priority: 2,
    },
    { name: 'late', test: new RegExp(`${own}/client/late\\.\\w+$`), priority: 1 },
  ],
}
