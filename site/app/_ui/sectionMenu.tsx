import { type ReactNode, useId } from 'react'
import { FoldingMenu } from './foldingMenu.tsx'
import { MenuGroup, type MenuGroupProps } from './menuGroup.tsx'
import { pageLanguage } from './pageLanguage.ts'
import { SectionLink } from './sectionLink.tsx'
import styles from './sectionMenu.module.css'

const texts = {
  en: { skip: 'Skip the contents', overview: 'Overview', contents: 'Contents' },
  de: { skip: 'Inhalt überspringen', overview: 'Übersicht', contents: 'Inhalt' },
}

type SectionMenuProps = {
  label: string
  /** Label of the button that opens the menu. */
  opener: string
  index: string
  groups: readonly MenuGroupProps[]
}

/**
 * The menu of one part of the site. On wide screens, the menu is next to the page and folds to an icon.
 * On narrow screens, a button opens the menu over the page.
 */
export function SectionMenu({ label, opener, index, groups }: SectionMenuProps): ReactNode {
  const id = useId()
  const { skip, overview, contents } = texts[pageLanguage()]
  return (
    <nav aria-label={label} className={styles.menu}>
      <a className={styles.skip} href="#page">
        {skip}
      </a>
      <button type="button" popoverTarget={id} className={styles.opener}>
        {opener}
      </button>
      <div id={id} popover="auto" className={styles.panel}>
        <FoldingMenu className={styles.side} summary={<Summary label={contents} />}>
          <div className={styles.pages}>
            <SectionLink href={index} exact className={styles.link}>
              {overview}
            </SectionLink>
            {groups.map((group) => (
              <MenuGroup key={group.title} {...group} isAlone={groups.length === 1} />
            ))}
          </div>
        </FoldingMenu>
      </div>
    </nav>
  )
}

function Summary({ label }: { label: string }): ReactNode {
  return (
    <summary className={styles.summary}>
      <svg viewBox="0 0 20 20" aria-hidden="true" className={styles.mark}>
        <path d="M3.5 3.5h13v13h-13zM8 3.5v13" />
      </svg>
      <span>{label}</span>
    </summary>
  )
}
