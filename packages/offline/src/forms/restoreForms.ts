import type { PackageRouter } from 'waymark/plugin'
import {
  createNoticeBoard,
  draftValue,
  type Field,
  fieldsByKey,
  onSessionChange,
  readPackageTexts,
  restoreFields,
  storableFields,
  untilHydrated,
} from 'waymark/plugin/client'
import { onOwnerChange } from '../shared/owner.ts'
import { englishForm } from '../shared/texts.ts'
import { formDrafts, sessionMark, valuesOf } from './draftStore.ts'

type Router = Pick<PackageRouter, 'changed' | 'current' | 'events'>

const checkEveryMs = 50

/**
 * Fills in refused forms again when they are shown. If a refresh removes a form because the session
 * has ended, stores the text that was typed into it.
 */
export function restoreForms(router: Router): void {
  const whenThere = createRestoring(router.changed)
  const onCommit = storeRefusedRefreshes(router)
  router.events.on('commit', () => {
    onCommit()
    whenThere()
  })
  onOwnerChange(whenThere)
  // Somebody may have signed in or out in a different tab, so check again.
  onSessionChange(whenThere)
  whenThere()
}

/** @returns a function that looks for a form to fill in, now and after each change of the document */
function createRestoring(changed: Router['changed']): () => void {
  const local = readPackageTexts('@waymark/offline', { form: englishForm })
  const notice = createNoticeBoard(document, local)
  let isWaiting = false

  // A page may render again without a navigation, for example after an action that signs in, so
  // watch the document.
  const observer = new MutationObserver(() => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      whenThere()
    }, checkEveryMs)
  })

  function whenThere(): void {
    if (!formDrafts.find(location.pathname)) {
      observer.disconnect()
      return
    }
    observer.observe(document, { childList: true, subtree: true })
    void restore()
  }

  async function restore(): Promise<void> {
    const { pathname } = location
    const field = firstToRestore(pathname, changed)
    if (!field || !(await untilHydrated(field))) return
    await afterEffects()
    if (!field.isConnected || location.pathname !== pathname) return
    const draft = formDrafts.take(pathname)
    if (!draft) return
    // Don't overwrite text that the user has typed since the page was shown again.
    const newer = changed()
    restoreFields(document, new Map(draft.fields), (_, each) => !newer.includes(each))
    showRestored(notice, local.texts.form)
  }

  return whenThere
}

function firstToRestore(pathname: string, changed: Router['changed']): Field | undefined {
  const values = new Map(formDrafts.find(pathname)?.fields)
  if (values.size === 0) return undefined
  const typed = changed()
  for (const [key, field] of fieldsByKey(document)) {
    const value = values.get(key)
    const isThere = JSON.stringify(draftValue(field)) === JSON.stringify(value)
    if (value !== undefined && !isThere && !typed.includes(field)) return field
  }
  return undefined
}

/** Resolves after effects have run. A page names its user in an effect. */
function afterEffects(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

function showRestored(
  { show, hide }: ReturnType<typeof createNoticeBoard>,
  { restored, ok }: typeof englishForm,
): void {
  show({ text: restored, actions: [{ label: ok, run: hide }], onEscape: hide })
}

/** @returns a function to call on each commit */
function storeRefusedRefreshes({ current, events, changed }: Router): () => void {
  let pageUser = whoIsHere()
  let typed: Typed | null = null
  events.on('start', ({ kind }) => {
    const fields = kind === 'refresh' ? storableFields(document, changed()) : null
    const isTyped = fields !== null && fields.size > 0
    typed = isTyped ? { pathname: location.pathname, fields, user: formDrafts.user() } : null
  })
  return () => {
    if (typed && isStillHere(pageUser, typed) && isRefused(typed, current())) storeGone(typed)
    typed = null
    void afterEffects().then(() => {
      pageUser = whoIsHere()
    })
  }
}

type Typed = {
  readonly pathname: string
  readonly fields: Map<string, Field>
  readonly user: string | null
}

const whoIsHere = () => ({ user: formDrafts.user(), mark: sessionMark() })

/**
 * False if the user has signed out or changed in a different tab. Nothing should be stored then.
 */
function isStillHere(pageUser: ReturnType<typeof whoIsHere>, { user }: Typed): boolean {
  return pageUser.mark === sessionMark() && (pageUser.user === null || pageUser.user === user)
}

function isRefused({ pathname }: Typed, { tree }: ReturnType<Router['current']>): boolean {
  return location.pathname !== pathname || hasScreen(tree)
}

function storeGone({ pathname, fields, user }: Typed): void {
  const gone = [...fields].filter(([, field]) => !(field.isConnected && field.checkVisibility()))
  formDrafts.save({ pathname, fields: valuesOf(gone) }, user)
}

type Segment = ReturnType<Router['current']>['tree']

/** True if a screen has replaced a layout or page. Segment keys tell. */
function hasScreen({ key, slots = {} }: Segment): boolean {
  return /#4\d\d$/.test(key) || Object.values(slots).some(hasScreen)
}
