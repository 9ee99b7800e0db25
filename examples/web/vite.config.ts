import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service accepts requests of pages from http://localhost:5173, so the page must use this port. */
const address = { port: 5173, strictPort: true }

export default defineConfig({
  plugins: [react()],
  // Other packages of this repository depend on another version of React. The page and its libraries must use the same one.
  resolve: { dedupe: ['react', 'react-dom'] },
  server: address,
  preview: address,
})
