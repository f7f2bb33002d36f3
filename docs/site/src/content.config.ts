import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { z } from 'astro/zod';

const extend = z.object({
  /** Weight of the whole page in the search, including its headings. By default, text has 1 and headings up to 7. */
  searchWeight: z.number().optional(),
});

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema({ extend }) }) };
