import { basePath } from 'waymark'
import { nameOfApp } from '../shared/cacheNames.ts'

/** Session storage key for the text that was typed into refused forms. */
export const draftsKey: string = nameOfApp('waymark-form-drafts', basePath)

/** True if form drafts are stored. The code that restores them must then be loaded. */
export function hasFormDraft(): boolean {
  try {
    return sessionStorage.getItem(draftsKey) !== null
  } catch {
    return false
  }
}
