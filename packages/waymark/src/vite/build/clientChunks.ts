import type { Rolldown } from 'vite'

/**
 * How the framework's own client code is cut: one file for what every page runs, one for what an
 * interactive page runs beside it. What is always loaded together is compressed together.
 */
export const clientChunks: NonNullable<Rolldown.OutputOptions['codeSplitting']> = {
  groups: [
    { name: 'entry', test: /\/waymark\/dist\/client\/entry\.js$/, priority: 2 },
    { name: 'app', test: /\/waymark\/dist\/client\/start\.js$|^\0virtual:vite-rsc\/client-references\/group\/entry$|rolldown\/runtime/, priority: 1 },
  ],
}
