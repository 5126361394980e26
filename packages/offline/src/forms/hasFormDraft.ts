import { basePath } from 'waymark'
import { nameOfApp } from '../shared/cacheNames.ts'

/** Where this tab stores what was typed into forms that were refused. */
export const draftsKey: string = nameOfApp('waymark-form-drafts', basePath)

/** Whether forms wait to be filled in again; what stores them is loaded then. */
export function hasFormDraft(): boolean {
  try {
    return sessionStorage.getItem(draftsKey) !== null
  } catch {
    return false
  }
}
