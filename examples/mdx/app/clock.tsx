'use client'

import { useEffect, useState } from 'react'

/** Shows the current time of the browser. */
export function Clock() {
  const [time, setTime] = useState('…')
  useEffect(() => {
    const tick = () => setTime(new Date().toLocaleTimeString('en'))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  return <time>{time}</time>
}
