// Search dialog that looks up words in an index created by the build, and shows plain links.

const maxResults = 12
const loadWithinMs = 10_000

const allTexts = {
  en: {
    index: '/search.json',
    label: 'Search the guide, the reference and the lab',
    name: 'Search',
    close: 'Close',
    failed: 'The search index couldn’t be loaded. Keep typing to try again.',
    none: 'No results.',
    one: '1 result.',
    many: (count) => `${count} results.`,
    best: (count) => `The ${count} best results.`,
  },
  de: {
    index: '/de/search.json',
    label: 'Suche in Handbuch, Referenz und Labor',
    name: 'Suche',
    close: 'Schließen',
    failed:
      'Der Suchindex konnte nicht geladen werden. Tippen Sie weiter, um es erneut zu versuchen.',
    none: 'Keine Treffer.',
    one: '1\u00a0Treffer.',
    many: (count) => `${count}\u00a0Treffer.`,
    best: (count) => `Die ${count} besten Treffer.`,
  },
}

// A change of the language loads a document, so the texts stay the same.
const texts = allTexts[document.documentElement.lang] ?? allTexts.en

let dialog = null
let index = null

/** Opens the dialog. The first call creates it. */
export async function openSearch() {
  dialog ??= createDialog()
  if (!dialog.isConnected) document.body.append(dialog)
  await loadStyles()
  if (dialog.open) return
  dialog.showModal()
  dialog.querySelector('input').select()
}

function createDialog() {
  const input = element('input', { type: 'search', id: 'search-field', name: 'search' })
  Object.assign(input, { autocomplete: 'off', spellcheck: false, enterKeyHint: 'search' })
  const label = element('label', {
    htmlFor: input.id,
    textContent: texts.label,
  })
  const close = element('button', { type: 'button', textContent: texts.close })
  const status = element('p', { className: 'search-status' })
  status.setAttribute('role', 'status')
  const list = element('ul', {})
  const field = element('div', { className: 'search-field' })
  field.append(label, input, close)
  const created = element('dialog', { className: 'search' })
  created.setAttribute('aria-label', texts.name)
  created.append(field, status, list)

  const update = async () => {
    const wanted = input.value
    try {
      index ??= await fetchIndex()
    } catch {
      status.textContent = texts.failed
      return
    }
    // Drop the results if the text has changed while the index was loading.
    if (wanted !== input.value) return
    const terms = termsOf(wanted)
    const results = find(index, terms)
    list.replaceChildren(...results.map((result) => resultItem(result, terms)))
    status.textContent = summary(terms, results)
  }
  input.addEventListener('input', update)
  close.addEventListener('click', () => created.close())
  created.addEventListener('keydown', (event) => {
    // Close the dialog on Escape, because the search field would only clear its text.
    if (event.key === 'Escape') created.close()
    else moveFocus(event, input, list)
  })
  created.addEventListener('click', (event) => {
    // Close the dialog on a click on the backdrop, which has the dialog itself as its target.
    if (event.target === created || event.target.closest('a')) created.close()
  })
  // Reset the status for the next time.
  created.addEventListener('close', () => status.replaceChildren())
  return created
}

async function fetchIndex() {
  const response = await fetch(texts.index, { signal: AbortSignal.timeout(loadWithinMs) })
  if (!response.ok)
    throw new Error(`The search index couldn’t be loaded (status ${response.status}).`)
  const sections = await response.json()
  return sections.map((section) => ({
    ...section,
    page: section.title.toLowerCase(),
    part: section.heading.toLowerCase(),
    text: `${section.excerpt.toLowerCase()} ${section.words}`,
  }))
}

let styles = null

function loadStyles() {
  styles ??= new Promise((resolve) => {
    const link = element('link', { rel: 'stylesheet', href: '/search/dialog.css' })
    // Continue if the style sheet can't be loaded, because the dialog also works without styles.
    link.onload = resolve
    link.onerror = resolve
    document.head.append(link)
  })
  return styles
}

function termsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []
}

/** Returns the sections that contain all terms, best matches first. */
function find(sections, terms) {
  if (terms.length === 0) return []
  return sections
    .map((section) => ({ section, score: score(section, terms) }))
    .filter((match) => match.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ section }) => section)
}

function score({ page, part, text, heading }, terms) {
  let sum = 0
  for (const term of terms) {
    const points = 10 * standing(page, term) + 6 * standing(part, term) + standing(text, term)
    if (points === 0) return 0
    sum += points
  }
  // Rank the page itself before its sections.
  return heading === '' ? sum + 1 : sum
}

/** Scores a term: 2 if it is at the start of a word, 1 if it is within a word, and 0 if it is missing. */
function standing(text, term) {
  const at = text.indexOf(term)
  if (at === -1) return 0
  if (at === 0 || text.includes(` ${term}`)) return 2
  return 1
}

function summary(terms, { length }) {
  if (terms.length === 0) return ''
  if (length === 0) return texts.none
  if (length === maxResults) return texts.best(length)
  return length === 1 ? texts.one : texts.many(length)
}

function resultItem({ href, title, heading, excerpt }, terms) {
  const link = element('a', { href })
  const name = element('span', { className: 'search-name' })
  name.append(...marked(heading ? `${title}: ${heading}` : title, terms))
  const text = element('span', { className: 'search-text' })
  text.append(...marked(excerpt, terms))
  link.append(name, ' ', text)
  const item = element('li', {})
  item.append(link)
  return item
}

/** Returns nodes for a text in which each term is marked. */
function marked(text, terms) {
  const pattern = new RegExp(
    `(${terms.map((term) => term.replaceAll('-', '\\-')).join('|')})`,
    'giu',
  )
  return text.split(pattern).map((part, at) => {
    return at % 2 === 1 ? element('mark', { textContent: part }) : part
  })
}

/** Moves the focus through the results with the arrow keys. Letters move it back to the field. */
function moveFocus(event, input, list) {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  const { key, ctrlKey, metaKey, altKey } = event
  if (key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
  else if (key === 'ArrowUp') (links[at - 1] ?? input).focus()
  else if (key === 'Enter' && document.activeElement === input) links[0]?.click()
  else if (at !== -1 && key.length === 1 && !(ctrlKey || metaKey || altKey)) return input.focus()
  else return
  event.preventDefault()
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
