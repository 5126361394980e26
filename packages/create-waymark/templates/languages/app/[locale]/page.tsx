import { useTranslations } from '@waymark/i18n'
import type { ReactNode } from 'react'
import { Counter } from './counter'
import styles from './page.module.css'

const tags = { code: (text: ReactNode) => <code>{text}</code> }

export default function Home() {
  const t = useTranslations('home')
  return (
    <>
      <h1>{t('title')}</h1>
      <p className="lead">{t.rich('lead', tags)}</p>
      <ul className={styles.trail}>
        <li>
          <h2>{t('page.heading')}</h2>
          <p>{t.rich('page.text', tags)}</p>
        </li>
        <li>
          <h2>{t('texts.heading')}</h2>
          <p>{t.rich('texts.text', tags)}</p>
        </li>
        <li>
          <h2>{t('client.heading')}</h2>
          <p>{t.rich('client.text', tags)}</p>
          <Counter />
        </li>
        <li>
          <h2>{t('build.heading')}</h2>
          <p>{t.rich('build.text', tags)}</p>
        </li>
      </ul>
    </>
  )
}
