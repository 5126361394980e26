import styles from './page.module.scss'

export default function Home() {
  return (
    <main className={styles.page}>
      <h1>Sass</h1>
      <ol>
        <li>first</li>
        <li>second</li>
        <li>third</li>
      </ol>
    </main>
  )
}
