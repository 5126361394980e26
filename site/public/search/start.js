// Opens the search: by its link, by / and by Ctrl-K. What it needs is loaded at its first use.

const isField = (target) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

async function open() {
  try {
    const { openSearch } = await import('/search/dialog.js')
    await openSearch()
  } catch {
    // The list of all pages is there without it.
    location.assign('/guide')
  }
}

// Before the listener that follows links.
addEventListener(
  'click',
  (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey)
    if (!isPlain || !(event.target instanceof Element) || !event.target.closest('[data-search]'))
      return
    event.preventDefault()
    open()
  },
  { capture: true },
)

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event
  if (isComposing || event.defaultPrevented) return
  const isShortcut = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey
  const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isField(event.target)
  if (!isShortcut && !isSlash) return
  // A dialog of a page is not covered by another.
  if (document.querySelector('dialog:modal')) return
  event.preventDefault()
  open()
})
