import { Counter } from './counter'
import styles from './page.module.css'

export default function Home() {
  return (
    <>
      <h1>Your app is running</h1>
      <p className="lead">
        This page is <code>app/page.tsx</code>. Change it and save: you see it here at once.
      </p>
      <ul className={styles.trail}>
        <li>
          <h2>Add a page</h2>
          <p>
            A folder is a part of the URL: <code>app/about/page.tsx</code> answers{' '}
            <code>/about</code>.
          </p>
        </li>
        <li>
          <h2>Load what it shows</h2>
          <p>
            A page runs on the server. Make it <code>async</code>, and <code>await</code> its data.
          </p>
        </li>
        <li>
          <h2>Make it interactive</h2>
          <p>
            <code>app/counter.tsx</code> begins with <code>'use client'</code>, so it runs in the
            browser, too.
          </p>
          <Counter />
        </li>
        <li>
          <h2>Build and serve it</h2>
          <p>
            <code>npm run build</code>, then <code>npm start</code>.
          </p>
        </li>
      </ul>
    </>
  )
}
