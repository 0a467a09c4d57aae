# SPDX-License-Identifier: Apache-2.0
# uint64_t square(uint64_t number), by hand: the archive has a member that no
# C compiler made.
	.text
	.globl	square
	.type	square, @function
square:
	movq	%rdi, %rax
	imulq	%rdi, %rax
	ret
	.size	square, .-square
	.section	.note.GNU-stack,"",@progbits
