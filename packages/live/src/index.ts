import { addCacheTags, currentRequest } from 'waymark/plugin/server'
import { allReads, named } from './server/liveTags.ts'

let hasWarned = false

/**
 * Keeps a page current while it is open. Call it in a page, a layout, a component or a cached function.
 * @param tags tags to follow; without tags, the page follows all data that the page and its layouts read
 * @example
 * live('cards')
 */
export function live(...tags: string[]): void {
  const marks = tags.length > 0 ? tags.flatMap(named) : [allReads]
  if (addCacheTags(marks) || currentRequest() === null) return
  if (process.env.NODE_ENV !== 'production' && !hasWarned) {
    hasWarned = true
    console.warn(
      'live() has no effect without its Vite plugin. Add live() from @waymark/live/vite to the plugins in vite.config.ts.',
    )
  }
}
