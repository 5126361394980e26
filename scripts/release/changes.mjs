/**
 * The kinds of changes, in the order of their sections in the changelog. The kind is part of the file
 * name: `changes/keep-scroll-position.fixed.md`.
 */
const titles = {
  breaking: 'Breaking changes',
  security: 'Security',
  added: 'Added',
  changed: 'Changed',
  fixed: 'Fixed',
}

/**
 * @typedef {keyof typeof titles} Kind
 * @typedef {{ kind: Kind, text: string }} Change
 */

const kinds = /** @type {Kind[]} */ (Object.keys(titles))

/**
 * Parses the files of `changes/`.
 * @param {Readonly<Record<string, string>>} files texts by file name
 * @returns {{ changes: Change[], problems: string[] }} `problems` has one line for each invalid
 * file
 */
export function parseChanges(files) {
  /** @type {Change[]} */
  const changes = []
  const problems = []
  for (const name of Object.keys(files).sort()) {
    if (name === 'README.md') continue
    const text = (files[name] ?? '').trim()
    const [, wanted] = /^[a-z0-9-]+\.([a-z]+)\.md$/.exec(name) ?? []
    const kind = kinds.find((each) => each === wanted)
    if (kind === undefined) {
      problems.push(`changes/${name}: the name must look like short-name.fixed.md; ${kindList()}`)
    } else if (text === '' || /^(?:#|- )/m.test(text)) {
      problems.push(`changes/${name}: write one paragraph, without a heading or a list`)
    } else {
      changes.push({ kind, text })
    }
  }
  return { changes, problems }
}

function kindList() {
  return `the kinds are ${kinds.join(', ')}`
}

/**
 * Returns the version of the next release.
 * @param {string} changelog
 * @param {string} current version of the packages
 * @param {readonly Change[]} changes
 */
export function nextVersion(changelog, current, changes) {
  const unreleased = /^## (\S+), in development$/m.exec(changelog)?.[1]
  if (unreleased !== undefined) return unreleased
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  const has = (/** @type {Kind} */ kind) => changes.some((change) => change.kind === kind)
  // Semantic Versioning §4: below 1.0.0 anything may change. By convention, a breaking change then
  // raises the minor version.
  if (has('breaking')) return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
  if (has('added')) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}

/**
 * Adds the section of a release at the top of the changelog. If the changelog has a section for
 * this version "in development", that section becomes the release's section and keeps its entries.
 * @param {string} changelog
 * @param {{ version: string, date: string, changes: readonly Change[] }} release `date` as
 * 2026-12-01
 */
export function addRelease(changelog, { version, date, changes }) {
  const heading = `## ${version}, ${date}`
  const sections = sectionsOf(changes)
  const open = `## ${version}, in development`
  if (changelog.includes(open)) {
    return changelog.replace(open, () => [heading, ...sections].join('\n\n'))
  }
  const [head = '', ...releases] = changelog.split(/^(?=## )/m)
  const section = `${[heading, ...sections].join('\n\n')}\n`
  return [`${head.trimEnd()}\n`, section, ...releases].join('\n')
}

/**
 * Returns the notes of one release, for its page on GitHub.
 * @param {string} changelog
 * @param {string} version
 */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## ${version}, `))
  if (section === undefined) throw new Error(`The changelog has no section for ${version}.`)
  return section.split('\n').slice(1).join('\n').trim()
}

/** @param {readonly Change[]} changes */
function sectionsOf(changes) {
  return kinds.flatMap((kind) => {
    const texts = changes.filter((change) => change.kind === kind).map(({ text }) => text)
    if (texts.length === 0) return []
    return [`### ${titles[kind]}`, texts.map(listItem).join('\n')]
  })
}

/** @param {string} text */
function listItem(text) {
  return `- ${text.split('\n').join('\n  ')}`
}
