import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type OfLink<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>;

/** A link to a route of the app. */
export const AnchorLink = createLink((props: OfLink<AnchorProps>) => <Anchor {...props} />);

/** A link that looks like a button. */
export const ButtonLink = createLink((props: OfLink<ButtonProps>) => <Button component="a" {...props} />);
