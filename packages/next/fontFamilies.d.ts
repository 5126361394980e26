/**
 * Each font family is a function with the family's name, such as `Inter` or `JetBrains_Mono`. The
 * family's package must be installed.
 */
declare module 'next/font/google'
declare module 'next/font/google.js'
