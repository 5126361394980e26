// Opens the search when somebody follows its link or presses / or Ctrl-K. The first use loads the dialog.

const isField = (target) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

async function open() {
  try {
    const { openSearch } = await import('/search/dialog.js')
    await openSearch()
  } catch {
    // If the dialog can't be loaded, show the list of all pages.
    location.assign(document.documentElement.lang === 'de' ? '/de/guide' : '/guide')
  }
}

// Listen in the capture phase, before Waymark's listener navigates to the link.
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
  // Don't open the search over a modal dialog.
  if (document.querySelector('dialog:modal')) return
  event.preventDefault()
  open()
})
