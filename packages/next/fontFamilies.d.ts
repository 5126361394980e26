/** Every family is a function of its name: `Inter`, `JetBrains_Mono`. Its package has to be installed. */
declare module 'next/font/google'
declare module 'next/font/google.js'
